# Pipelines and scripts that make the performance report, and the report: distributed, not installed.
EXTRA_DIST += \
	%D%/overhead.sh \
	%D%/overhead.yaml
