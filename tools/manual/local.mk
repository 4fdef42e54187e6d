# SPDX-License-Identifier: BSD-2-Clause
# Manual pages, a page a stage and bash's completion, made from what the built programs say.
manual_parts = \
	%D%/completion.bash \
	%D%/man.awk \
	%D%/manual.sh
EXTRA_DIST += $(manual_parts)

if CAN_RUN
manual_pages += manual/fecrun-check.1 manual/fecrun-pipeline.5 manual/fecrun.1
man_MANS = $(manual_pages)
manual/stamp: fecrun$(EXEEXT) fecrun-check$(EXEEXT) $(BUILT_PLUGINS) $(manual_parts) doc/pipeline.md
	$(AM_V_GEN)$(SHELL) $(srcdir)/tools/manual/manual.sh . $(srcdir) manual && touch $@
$(manual_pages): manual/stamp

bashcompletiondir = $(datadir)/bash-completion/completions
install-manual: manual/stamp
	$(MKDIR_P) "$(DESTDIR)$(docdir)/stages" "$(DESTDIR)$(bashcompletiondir)"
	$(INSTALL_DATA) manual/stages/*.md "$(DESTDIR)$(docdir)/stages"
	$(INSTALL_DATA) manual/fecrun.bash "$(DESTDIR)$(bashcompletiondir)/fecrun"
uninstall-manual:
	for page in manual/stages/*.md; do \
	    rm -f "$(DESTDIR)$(docdir)/stages/$${page##*/}"; \
	done
	rm -f "$(DESTDIR)$(bashcompletiondir)/fecrun"
	rmdir "$(DESTDIR)$(docdir)/stages" 2>/dev/null || :
install-data-local: install-manual
uninstall-local: uninstall-manual
.PHONY: install-manual uninstall-manual
endif
