# Runnable pipelines; every one of them is a test (t/conf.t).
pipelinedir = $(pkgdatadir)/conf
dist_pipeline_DATA = \
	%D%/quickstart.yaml
