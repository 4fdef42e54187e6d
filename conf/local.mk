# SPDX-License-Identifier: BSD-2-Clause
# Runnable pipelines; every one of them is a test (t/conf.t).
pipelinedir = $(pkgdatadir)/conf
dist_pipeline_DATA = \
	%D%/ccsds-rs.yaml \
	%D%/dvb-stream-make.yaml \
	%D%/dvb-stream-truth.yaml \
	%D%/dvb-stream.yaml \
	%D%/dvbs2-bch.yaml \
	%D%/fading.yaml \
	%D%/gpu-simulation.yaml \
	%D%/gpu-stream.yaml \
	%D%/hard.yaml \
	%D%/ieee80211a.yaml \
	%D%/ldpc-harq.yaml \
	%D%/ldpc-multiuser.yaml \
	%D%/ldpc-nr.yaml \
	%D%/ldpc-transport.yaml \
	%D%/ldpc-wifi.yaml \
	%D%/lte-multiuser.yaml \
	%D%/lte-tbcc.yaml \
	%D%/pipe.yaml \
	%D%/polar-csi.yaml \
	%D%/polar-list.yaml \
	%D%/polar-pdcch.yaml \
	%D%/polar-pucch.yaml \
	%D%/quickstart.yaml \
	%D%/recording-make.yaml \
	%D%/recording.sigmf-meta \
	%D%/recording.yaml \
	%D%/soft-bytes.yaml \
	%D%/soft-vs-hard.yaml \
	%D%/turbo-ccsds.yaml \
	%D%/turbo-harq.yaml \
	%D%/turbo-lte.yaml \
	%D%/turbo-multiuser.yaml \
	%D%/turbo-transport.yaml \
	%D%/turbo-umts.yaml \
	%D%/uncoded.yaml

# Those that read t/data.
EXTRA_DIST += \
	%D%/ccsds-telemetry.yaml \
	%D%/dab-fic.yaml \
	%D%/dvb-s.yaml \
	%D%/dvb-s2.yaml \
	%D%/dvb-t.yaml \
	%D%/ft8.yaml \
	%D%/galileo-fnav.yaml \
	%D%/galileo-inav.yaml \
	%D%/gps-cnav.yaml \
	%D%/gsm-afs.yaml \
	%D%/gsm-xcch.yaml \
	%D%/lte-pbch.yaml \
	%D%/m17-lsf.yaml \
	%D%/m17-stream.yaml \
	%D%/noisy-frames.yaml \
	%D%/nr-dci-blind.yaml \
	%D%/nr-pbch.yaml \
	%D%/surface-code.yaml \
	%D%/wifi-ppdu.yaml
