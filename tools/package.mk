# Releases: the source as an archive, and packages for Debian.

# The last commit; it builds without git.  One commit makes one archive.
dist:
	@mkdir -p $(B)
	git -c tar.umask=0022 archive --prefix=dtrace-$(RELEASE)/ HEAD | xz -T1 >$(B)/dtrace-$(RELEASE).tar.xz

# Packages for the release of Debian that this is, and their source, in $(B)/deb.
deb:
	tools/packages.sh deb
	tools/deb.sh $(B)/deb

# That packages can be installed, used and removed in the releases of Debian; RELEASES: in these only.
deb-check:
	@tools/packages.sh root
	@test/packages/run.sh $(B) $(RELEASES)

# That packages of the same source are the same files wherever and whenever they are built.
deb-twice:
	@tools/packages.sh deb
	@test/packages/twice.sh $(B)

.PHONY: dist deb deb-check deb-twice
