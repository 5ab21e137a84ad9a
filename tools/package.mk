# Releases: the source as an archive, and packages for Debian.

# Archive the last commit.  The archive builds without git, and one commit always makes the same archive.
dist:
	@mkdir -p $(B)
	git -c tar.umask=0022 archive --prefix=dtrace-$(RELEASE)/ HEAD | xz -T1 >$(B)/dtrace-$(RELEASE).tar.xz

# Build packages for this machine's Debian release, and their source, in $(B)/deb.
deb:
	tools/packages.sh deb
	tools/deb.sh $(B)/deb

# Check that packages can be installed, used and removed in Debian releases; RELEASES limits the releases.
deb-check:
	@tools/packages.sh root
	@test/packages/run.sh $(B) $(RELEASES)

# Check that packages of the same source are identical, wherever and whenever they are built.
deb-twice:
	@tools/packages.sh deb
	@test/packages/twice.sh $(B)

.PHONY: dist deb deb-check deb-twice
