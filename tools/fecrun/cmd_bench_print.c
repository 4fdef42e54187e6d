/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/fecrun/cmd_bench.h"

#include <math.h>

/* ---- JSON ---- */

json_t *bench_json_real(bool known, double value)
{
    return known ? json_real(value) : json_null();
}

static json_t *count_or_null(bool known, uint64_t value)
{
    return known ? json_integer((json_int_t)value) : json_null();
}

static json_t *limits_of(const struct bench_result *r)
{
    bool device = r->bound_gbps > 0, counted = r->compute_gbps > 0;

    return json_pack(
        "{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "in_flight",
        count_or_null(device, r->in_flight), "pcie_h2d_gbs", bench_json_real(device, r->h2d_gbs),
        "pcie_d2h_gbs", bench_json_real(device, r->d2h_gbs), "pcie_both_gbs",
        bench_json_real(device, r->both_gbs), "bound_gbps", bench_json_real(device, r->bound_gbps),
        "bound_share", bench_json_real(device, r->end_to_end_gbps / r->bound_gbps),
        "compute_bound_gbps", bench_json_real(counted, r->compute_gbps), "compute_share",
        bench_json_real(counted, r->device_gbps / r->compute_gbps));
}

static json_t *latency_of(const struct bench_result *r)
{
    if (!r->latency_calls)
        return json_null();
    return json_pack("{s:f, s:f, s:f, s:f, s:i}", "p50", r->latency_us[0], "p90", r->latency_us[1],
                     "p99", r->latency_us[2], "max", r->latency_us[3], "calls",
                     (int)r->latency_calls);
}

json_t *bench_json(const struct bench_result *r, const struct benched *at, enum bench_knee knee)
{
    json_t *limits = limits_of(r);
    json_t *line = json_pack(
        "{s:s, s:s, s:s, s:s, s:I, s:i, s:I, s:f, s:o, s:f, s:o, s:o, s:o, s:I, s:o, s:o, s:O, "
        "s:o, s:o, s:I}",
        "type", "bench", "stage", r->stage, "backend", r->backend, "device", r->device, "batch",
        (json_int_t)r->batch, "threads", (int)r->threads, "info_bits", (json_int_t)r->info_bits,
        "device_gbps", r->device_gbps, "end_to_end_gbps",
        bench_json_real(r->end_to_end_gbps > 0, r->end_to_end_gbps), "spread", r->spread,
        "latency_us", latency_of(r), "ber", bench_json_real(r->counted, r->ber), "fer",
        bench_json_real(r->counted, r->fer), "frames", (json_int_t)r->frames, "checked_frames",
        count_or_null(r->compared, r->checked_frames), "iterations_mean",
        bench_json_real(r->iterations_mean > 0, r->iterations_mean), "set", at->set, "ebn0_db",
        bench_json_real(!isnan(at->ebn0_db), at->ebn0_db), "esn0_db",
        bench_json_real(!isnan(at->esn0_db), at->esn0_db), "scratch_bytes",
        (json_int_t)r->scratch_bytes);

    if (!line || !limits || json_object_update(line, limits) ||
        (knee != KNEE_UNKNOWN && json_object_set_new(line, "knee", json_boolean(knee)))) {
        json_decref(line);
        line = NULL;
    }
    json_decref(limits);
    return line;
}

/* ---- The table ---- */

void bench_print_what(FILE *out, const struct bench_result *r)
{
    fprintf(out, "%s on %s, backend %s, ", r->stage, r->device, r->backend);
}

void bench_print_point(FILE *out, const struct bench_result *r, const struct benched *at)
{
    fprintf(out, ", %llu information bits a frame", (unsigned long long)r->info_bits);
    if (!isnan(at->ebn0_db))
        fprintf(out, ", Eb/N0 %.4g dB", at->ebn0_db);
    if (at->points > 1)
        fprintf(out, ", point %zu of %zu", at->point + 1, at->points);
    fprintf(out, "\n");
}

void bench_print_head(FILE *out, const struct bench_result *r, const struct benched *at)
{
    bench_print_what(out, r);
    if (r->in_flight)
        fprintf(out, "%u in flight", r->in_flight);
    else
        fprintf(out, "%u thread%s", r->threads, r->threads == 1 ? "" : "s");
    bench_print_point(out, r, at);
    fprintf(out, "%7s %10s %10s %6s %7s %7s %9s %8s %7s\n", "batch", "stage Gb/s", "whole Gb/s",
            "spread", "p50 us", "p99 us", "BER", "FER", "checked");
}

void bench_print_row(FILE *out, const struct bench_result *r)
{
    fprintf(out, "%7llu %10.4f", (unsigned long long)r->batch, r->device_gbps);
    if (r->latency_calls)
        fprintf(out, " %10.4f %5.1f%% %7.1f %7.1f", r->end_to_end_gbps, 100 * r->spread,
                r->latency_us[0], r->latency_us[2]);
    else
        fprintf(out, " %10s %5.1f%% %7s %7s", "-", 100 * r->spread, "-", "-");
    bench_print_check(out, r);
}

void bench_print_check(FILE *out, const struct bench_result *r)
{
    if (r->counted)
        fprintf(out, " %9.3g %8.3g", r->ber, r->fer);
    else
        fprintf(out, " %9s %8s", "unchecked", "-");
    if (r->compared)
        fprintf(out, " %7llu\n", (unsigned long long)r->checked_frames);
    else
        fprintf(out, " %7s\n", "-");
}

void bench_print_limits(FILE *out, const struct bench_result *r)
{
    if (r->compute_gbps > 0)
        fprintf(out,
                "batch %llu: stage reaches %.1f %% of the %.4g Gb/s that its operations "
                "allow\n",
                (unsigned long long)r->batch, 100 * r->device_gbps / r->compute_gbps,
                r->compute_gbps);
    if (r->bound_gbps > 0)
        fprintf(out,
                "batch %llu: copies alone: in %.4g GB/s, out %.4g GB/s, both at once %.4g "
                "GB/s; whole reaches %.1f %% of its bound, %.4g Gb/s\n",
                (unsigned long long)r->batch, r->h2d_gbs, r->d2h_gbs, r->both_gbs,
                100 * r->end_to_end_gbps / r->bound_gbps, r->bound_gbps);
}
