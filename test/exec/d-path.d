/*
 * d_path(): names up to the root of each mount, and on from its mount point.  Here the file is
 * sub/file in a file system that is mounted on /mnt.
 */
#pragma D option quiet

BEGIN
{
	this->names = (char *)alloca(32);
	*(uint32_t *)this->names = 0x746e6d;
	*(uint32_t *)(this->names + 8) = 0x627573;
	*(uint32_t *)(this->names + 16) = 0x656c6966;

	this->root = (struct dentry *)alloca(sizeof (struct dentry));
	this->mnt = (struct dentry *)alloca(sizeof (struct dentry));
	this->top = (struct dentry *)alloca(sizeof (struct dentry));
	this->sub = (struct dentry *)alloca(sizeof (struct dentry));
	this->file = (struct dentry *)alloca(sizeof (struct dentry));
	this->root->d_parent = this->root;
	this->mnt->d_parent = this->root;
	this->mnt->d_name.name = (unsigned char *)this->names;
	this->top->d_parent = this->top;
	this->sub->d_parent = this->top;
	this->sub->d_name.name = (unsigned char *)this->names + 8;
	this->file->d_parent = this->sub;
	this->file->d_name.name = (unsigned char *)this->names + 16;

	this->m1 = (struct mount *)alloca(sizeof (struct mount));
	this->m2 = (struct mount *)alloca(sizeof (struct mount));
	this->m1->mnt_parent = this->m1;
	this->m1->mnt_mountpoint = this->root;
	this->m1->mnt.mnt_root = this->root;
	this->m2->mnt_parent = this->m1;
	this->m2->mnt_mountpoint = this->mnt;
	this->m2->mnt.mnt_root = this->top;

	this->p = (struct path *)alloca(sizeof (struct path));
	this->p->mnt = &this->m2->mnt;
	this->p->dentry = this->file;
	printf("%s\n", d_path(this->p));
	this->p->dentry = this->top;
	printf("%s\n", d_path(this->p));
	this->p->mnt = &this->m1->mnt;
	this->p->dentry = this->root;
	printf("%s\n", d_path(this->p));
	printf("%s\n", path_below(this->p, "."));
	printf("%s\n", path_below(this->p, "a//b/./c/"));
	this->p->mnt = &this->m2->mnt;
	this->p->dentry = this->sub;
	printf("%s\n", path_below(this->p, ""));
	printf("%s\n", path_below(this->p, "./.."));
	printf("%s\n", path_below(this->p, ".hid/..."));
	printf("%s\n", path_below(this->p, "//x/."));
	printf("%s\n", path_below(NULL, "/"));
	printf("%s\n", path_below(NULL, "/x"));
	this->long = "123456789 123456789 123456789 123456789 123456789 123456789 ";
	this->long = strjoin(this->long, this->long);
	this->long = strjoin(this->long, this->long);
	printf("%d %d\n", strlen(this->long), strlen(path_below(this->p, strjoin(this->long, "tail"))));
	printf("%d\n", strlen(path_below(this->p, strjoin(this->long, "tail tail tail"))));
}

BEGIN
{
	trace(path_below(NULL, "x"));
}

BEGIN
{
	trace(d_path((struct path *)0x50));
}

BEGIN
{
	exit(0);
}
/* @afar line 38: writing to memory */
/* rows: path_below */
