#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# The provider `cuda` as the program shows it. What needs a device to work is in test_cuda_provider.
. "$top_srcdir/t/lib/tap.sh"
row="--plugin-dir $FAKEDIR/cuda"

cat >pass.yaml <<END
fecrun: 1
pipeline:
  - source.random: {bits: 100}
  - row.pass: {}
  - sink.null: {}
stop: {frames: 10}
END

# With or without a device.
run "$FECRUN" list
is 0 "list"
prints '^  cuda +[0-9.]+ +.*/cuda\.so$' "the plugin is there in every build"
prints '^  cuda(:0 .*, sm_[0-9]+, [0-9]+ SMs, [0-9.]+ GiB|: .+)$' \
    "$(grep -E '^  cuda:' out | head -n 1)"
if ! grep -q '^  cuda:0 ' out; then
    case ,${FECRUN_REQUIRE:-}, in
    *,cuda,*) ok "FECRUN_REQUIRE=cuda: a device is there" false ;;
    *) skip 1 "$(sed -n 's/^  cuda: //p' out)" ;;
    esac
else
    refuses 3 '^fecrun: [a-z.]+\.backend: there is no device 99: cuda has' run pass.yaml $row --backend cuda:99
fi

# Without a device; where there is one, it is hidden.
without_cuda
run "$FECRUN" list $row
is 0 "list without a device"
why=$(sed -n 's/^  cuda: //p' out)
ok "the provider says why: $why" [ -n "$why" ]
case $why in
"built without CUDA: "?* | "no NVIDIA driver" | "no CUDA device") known=true ;;
"the NVIDIA driver is too old: "*) known=true ;;
*) known=false ;;
esac
ok "in words" $known
ok "a row of this provider gives the same reason" grep -Fqx "    cuda is not available: $why" out
run "$FECRUN" list $row --json -
ok "so does the JSON list" \
    grep -Fq "{\"provider\":\"cuda\",\"available\":false,\"reason\":\"$why\"}" out
# --backend names all stages with a row for CUDA, and one of them is the first to say so.
for options in '--backend cuda' '--backend cuda:1' '--set row.pass.backend=cuda'; do
    run "$FECRUN" run pass.yaml $row $options
    is 3 "$options: status 3"
    ok "$options: the reason" grep -Fq ".backend: cuda is not available here: $why" err
done
ok "of the stage that was named" grep -q '^fecrun: .* row.pass.backend: ' err
run "$FECRUN" run pass.yaml $row --quiet
is 0 "auto takes another backend"
run "$FECRUN" explain pass.yaml $row
ok "explain says why not this one" grep -Fq "cuda: $why" out
done_testing
