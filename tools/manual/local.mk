# SPDX-License-Identifier: BSD-2-Clause
# Manual pages and a page a stage, made from what the built programs say, and the shells' completion.
manual_parts = \
	%D%/man.awk \
	%D%/manual.sh
EXTRA_DIST += $(manual_parts) %D%/completion.bash %D%/completion.fish %D%/completion.zsh

if CAN_RUN
manual_pages += manual/fecrun-check.1 manual/fecrun-pipeline.5 manual/fecrun.1
man_MANS = $(manual_pages)
manual/stamp: fecrun$(EXEEXT) fecrun-check$(EXEEXT) $(BUILT_PLUGINS) $(manual_parts) doc/pipeline.md
	$(AM_V_GEN)$(SHELL) $(srcdir)/tools/manual/manual.sh . $(srcdir) manual && touch $@
$(manual_pages): manual/stamp

install-manual: manual/stamp
	$(MKDIR_P) "$(DESTDIR)$(docdir)/stages"
	$(INSTALL_DATA) manual/stages/*.md "$(DESTDIR)$(docdir)/stages"
uninstall-manual:
	for page in manual/stages/*.md; do \
	    rm -f "$(DESTDIR)$(docdir)/stages/$${page##*/}"; \
	done
	rmdir "$(DESTDIR)$(docdir)/stages" 2>/dev/null || :
install-data-local: install-manual
uninstall-local: uninstall-manual
.PHONY: install-manual uninstall-manual
endif

# Where each shell looks, under share/.
bash_place = bash-completion/completions/fecrun
fish_place = fish/vendor_completions.d/fecrun.fish
zsh_place = zsh/site-functions/_fecrun
install-completion:
	set -e; for one in bash:$(bash_place) fish:$(fish_place) zsh:$(zsh_place); do \
	    place="$(DESTDIR)$(datadir)/$${one#*:}"; \
	    $(MKDIR_P) "$${place%/*}"; \
	    $(INSTALL_DATA) "$(srcdir)/tools/manual/completion.$${one%%:*}" "$$place"; \
	done
uninstall-completion:
	cd "$(DESTDIR)$(datadir)" && rm -f $(bash_place) $(fish_place) $(zsh_place)
install-data-local: install-completion
uninstall-local: uninstall-completion
.PHONY: install-completion uninstall-completion
