/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/fecrun/result.h"
#include "run/schedule/stats.h"
#include "t/lib/tap.h"

#include <dirent.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static char dir[] = "/tmp/fecrun-result-XXXXXX";
static char json_name[64], csv_name[64];
static struct diag error;

static const char *const names[] = {"channel.awgn.ebn0_db", "viterbi.decode.start"};
static const char *const values[] = {"3.5", "best"};

static struct result_point make_point(void)
{
    return (struct result_point){.n_set = 2,
                                 .set_names = names,
                                 .set_values = values,
                                 .ebn0_db = 3.5,
                                 .esn0_db = 0.489700043,
                                 .counts = {.counted = true,
                                            .checked = true,
                                            .frames = 100,
                                            .bits = 6400,
                                            .info_bits = 6400,
                                            .bit_errors = 64,
                                            .frame_errors = 5,
                                            .squares = STATS_UNKNOWN,
                                            .undetected = 1,
                                            .failed = 4,
                                            .iterations_max = 10},
                                 .iterations_mean = 2.25,
                                 .seconds = 0.5,
                                 .stop = "frame_errors"};
}

/* A file as a string; the caller has one at a time. */
static const char *slurp(const char *name)
{
    static char text[1 << 16];
    int fd = open(name, O_RDONLY);
    ssize_t n = fd < 0 ? -1 : read(fd, text, sizeof text - 1);

    if (fd >= 0)
        close(fd);
    if (n < 0)
        return NULL;
    text[n] = '\0';
    return text;
}

static int count_files(void)
{
    DIR *d = opendir(dir);
    int n = 0;

    for (struct dirent *e; d && (e = readdir(d));)
        n += e->d_name[0] != '.';
    closedir(d);
    return n;
}

static int open_quiet(struct result **result, const char *json, const char *csv)
{
    error = (struct diag){0};
    return result_open(result, &(struct result_options){.json = json, .csv = csv, .quiet = true},
                       &error);
}

static void test_files(void)
{
    struct result_point point = make_point();
    struct result *result;

    if (!ok(!open_quiet(&result, json_name, csv_name), "two files: %s", error.text))
        return;
    ok(!slurp(json_name), "are not there yet");
    ok(!result_run(result, json_pack("{s:s}", "type", "run"), &error), "run");
    ok(!result_point(result, &point, NULL, NULL, &error), "a point");
    point.counts.counted = point.counts.checked = false;
    point.counts.iterations_max = 0;
    point.ebn0_db = point.esn0_db = NAN;
    point.seconds = 0;
    point.stop = "end";
    ok(!result_point(result, &point, NULL, NULL, &error), "a point with nothing known");
    ok(!result_close(result, 0, NULL, &error), "close");
    is_str(slurp(json_name),
           "{\"type\":\"run\"}\n"
           "{\"type\":\"point\",\"set\":{\"channel.awgn.ebn0_db\":3.5,"
           "\"viterbi.decode.start\":\"best\"},\"ebn0_db\":3.5,\"esn0_db\":0.489700043,"
           "\"frames\":100,\"bits\":6400,\"bit_errors\":64,\"frame_errors\":5,\"ber\":0.01,"
           "\"fer\":0.05,\"fer_lo\":0.0164318791821,\"fer_hi\":0.112834911105,"
           "\"ber_lo\":null,\"ber_hi\":null,\"undetected\":1,"
           "\"failed\":4,\"iterations_mean\":2.25,\"iterations_max\":10,\"seconds\":0.5,"
           "\"info_mbps\":0.0128,\"stop\":\"frame_errors\"}\n"
           "{\"type\":\"point\",\"set\":{\"channel.awgn.ebn0_db\":3.5,"
           "\"viterbi.decode.start\":\"best\"},\"ebn0_db\":null,\"esn0_db\":null,\"frames\":100,"
           "\"bits\":6400,\"bit_errors\":null,\"frame_errors\":null,\"ber\":null,\"fer\":null,"
           "\"fer_lo\":null,\"fer_hi\":null,\"ber_lo\":null,\"ber_hi\":null,\"undetected\":null,"
           "\"failed\":null,"
           "\"iterations_mean\":null,\"iterations_max\":null,\"seconds\":0.0,\"info_mbps\":null,"
           "\"stop\":\"end\"}\n"
           "{\"type\":\"end\",\"status\":0}\n",
           "JSON");
    is_str(slurp(csv_name),
           "channel.awgn.ebn0_db,viterbi.decode.start,ebn0_db,esn0_db,frames,bits,bit_errors,"
           "frame_errors,ber,fer,fer_lo,fer_hi,ber_lo,ber_hi,undetected,failed,iterations_mean,"
           "iterations_max,"
           "seconds,info_mbps,stop\n"
           "3.5,best,3.5,0.489700043,100,6400,64,5,0.01,0.05,0.0164318791821,0.112834911105,,,1,4,"
           "2.25,10,0.5,0.0128,frame_errors\n"
           "3.5,best,,,100,6400,,,,,,,,,,,,,0,,end\n",
           "CSV");
    is_int(count_files(), 2, "nothing is left behind");
}

static void test_users(void)
{
    const struct pipeline_block users[] = {{.cell = "1", .user = "a"},
                                           {.cell = "", .user = "b\xff,\""}};
    struct run_class rows[] = {{10, 100, 5, 2}, {1, 0, 0, 0}};
    struct result_point point = make_point();
    struct result *result;
    const char *text;

    point.n_set = 0;
    point.n_users = 2;
    point.users = users;
    point.counts.rows = rows;
    ok(!open_quiet(&result, json_name, NULL) && !result_point(result, &point, NULL, NULL, &error) &&
           !result_close(result, 1, NULL, &error),
       "users");
    text = strstr(slurp(json_name), "\"users\"");
    is_str(text,
           "\"users\":[{\"cell\":\"1\",\"user\":\"a\",\"frames\":10,\"bits\":100,"
           "\"bit_errors\":5,\"frame_errors\":2,\"ber\":0.05,\"fer\":0.2},"
           "{\"cell\":\"\",\"user\":\"b?,\\\"\",\"frames\":1,\"bits\":0,\"bit_errors\":0,"
           "\"frame_errors\":0,\"ber\":null,\"fer\":0.0}]}\n"
           "{\"type\":\"end\",\"status\":1}\n",
           "of blocks");
}

static void test_lines(void)
{
    struct result *result;

    open_quiet(&result, NULL, csv_name);
    result_line(result,
                json_pack("{s:s,s:s,s:{s:f,s:f},s:o}", "type", "bench", "stage", "a,\"b\"",
                          "latency_us", "p50", 1.5, "max", 2.0, "ber", json_null()),
                &error);
    ok(!result_line(
           result,
           json_pack("{s:s,s:f,s:s,s:n}", "type", "bench", "ber", 1e-5, "stage", "x", "latency_us"),
           &error),
       "other lines");
    result_close(result, 0, NULL, &error);
    is_str(slurp(csv_name),
           "stage,latency_us.p50,latency_us.max,ber\n\"a,\"\"b\"\"\",1.5,2,\n"
           "x,,,1e-05\n",
           "as CSV");
    is_int(result_line(NULL, NULL, NULL), -1, "a line that could not be made");
}

static int mode_of(const char *name)
{
    struct stat st;

    return stat(name, &st) ? -1 : (int)(st.st_mode & 0777);
}

static void test_failures(void)
{
    struct result_point point = make_point();
    struct result *result;
    char name[128], link_name[64];
    struct stat st;

    snprintf(name, sizeof name, "%s/none/x.json", dir);
    ok(open_quiet(&result, name, NULL) && !result && error.status == DIAG_USAGE, "no directory");
    ok(strstr(error.text, "none/x.json: No such file or directory") != NULL, "is told");
    ok(open_quiet(&result, dir, NULL) && strstr(error.text, "Is a directory"), "a directory");
    ok(open_quiet(&result, json_name, name) && count_files() == 2, "the second file fails");
    if (access("/dev/full", W_OK) == 0) {
        ok(!open_quiet(&result, "/dev/full", NULL), "a full disk");
        is_int(result_point(result, &point, NULL, NULL, &error), -1, "is found");
        is_str(error.text, "cannot write /dev/full: No space left on device", "and named");
        is_int(error.status, DIAG_RUN, "its status");
        result_close(result, 1, NULL, &error);
    } else {
        skip(4, "no /dev/full");
    }
    ok(!open_quiet(&result, "/dev/null", NULL) &&
           !result_point(result, &point, NULL, NULL, &error) &&
           !result_close(result, 0, NULL, &error),
       "/dev/null");
    ok(stat("/dev/null", &st) == 0 && S_ISCHR(st.st_mode), "is still there");
    snprintf(link_name, sizeof link_name, "%s/link", dir);
    ok(symlink(json_name, link_name) == 0 && !open_quiet(&result, link_name, NULL) &&
           !result_close(result, 0, NULL, &error),
       "a link");
    ok(lstat(link_name, &st) == 0 && S_ISLNK(st.st_mode), "stays one");
    is_str(slurp(json_name), "{\"type\":\"end\",\"status\":0}\n", "and its file is new");
    unlink(link_name);
    is_int(count_files(), 2, "nothing is left behind");
    ok(!result_close(NULL, 0, NULL, NULL), "close of nothing");
}

/* What a failed run has must not replace what an earlier one gave. */
static void test_partial(void)
{
    struct result_point point = make_point();
    struct diag why = {.status = DIAG_RUN, .text = "it broke"};
    struct result *result;
    char partial[128], text[256];
    FILE *old = fopen(json_name, "w");

    fputs("old\n", old);
    fclose(old);
    chmod(json_name, 0640);
    snprintf(partial, sizeof partial, "%s.partial", json_name);
    snprintf(text, sizeof text, "it broke; what was done before is in %s", partial);
    ok(!open_quiet(&result, json_name, NULL) && !result_close(result, 1, &why, &error) &&
           access(partial, F_OK),
       "a failed run without points leaves no file");
    is_str(why.text, "it broke", "and says nothing of one");
    open_quiet(&result, json_name, NULL);
    ok(!result_point(result, &point, NULL, NULL, &error) && !result_close(result, 1, &why, &error),
       "one with a point");
    is_str(why.text, text, "says where that is");
    is_str(slurp(json_name), "old\n", "and not in the old file");
    ok(strstr(slurp(partial), "\"status\":1") != NULL, "it is there");
    unlink(partial);
    open_quiet(&result, json_name, NULL);
    result_close(result, 0, NULL, &error);
    is_str(slurp(json_name), "{\"type\":\"end\",\"status\":0}\n", "a good run replaces it");
    is_int(mode_of(json_name), 0640, "with its mode");
}

/* A child with 1 and 2 in files writes two points; its exit status is that of the functions. */
static int run_child(const char *json, const char *csv, const char *out, const char *err)
{
    struct result_point point = make_point();
    struct result *result;
    int status;
    pid_t pid = fork();

    if (pid == 0) {
        dup2(open(out, O_WRONLY | O_CREAT | O_TRUNC, 0600), 1);
        dup2(open(err, O_WRONLY | O_CREAT | O_TRUNC, 0600), 2);
        error = (struct diag){0};
        status = result_open(&result, &(struct result_options){.json = json, .csv = csv}, &error);
        status |= result_point(result, &point, NULL, NULL, &error);
        point.counts.iterations_max = 0;
        status |= result_point(result, &point, NULL, NULL, &error);
        status |= result_close(result, 0, NULL, &error);
        if (status)
            dprintf(2, "%s", error.text);
        _exit(status ? 1 : 0);
    }
    waitpid(pid, &status, 0);
    return status;
}

static void test_terminal(void)
{
    static const char table[] =
        "viterbi.decode.start  Eb/N0 dB  Es/N0 dB      frames  bit errors  frame errors    failed"
        "  undetected        BER        FER           95 % of FER  iterations   time s  info Mb/s"
        "          stop\n"
        "                best     3.500     0.490         100          64             5         4"
        "           1  1.000e-02  5.000e-02  1.64e-02 .. 1.13e-01        2.25     0.50       0.01"
        "  frame_errors\n"
        "                best     3.500     0.490         100          64             5         4"
        "           1  1.000e-02  5.000e-02  1.64e-02 .. 1.13e-01           -     0.50       0.01"
        "  frame_errors\n";
    char out[64], err[64];

    snprintf(out, sizeof out, "%s/out", dir);
    snprintf(err, sizeof err, "%s/err", dir);
    is_int(run_child(NULL, NULL, out, err), 0, "a table");
    is_str(slurp(out), table, "on standard output");
    is_str(slurp(err), "", "and nothing else");
    is_int(run_child("-", NULL, out, err), 0, "JSON on standard output");
    ok(!strncmp(slurp(out), "{\"type\":\"point\"", 15), "is there");
    is_str(slurp(err), table, "and the table on standard error");
    is_int(run_child(NULL, "-", out, err), 0, "CSV on standard output");
    ok(!strncmp(slurp(out), "channel.awgn.ebn0_db,", 21), "is there");
    if (access("/dev/full", W_OK) == 0) {
        ok(run_child("-", NULL, "/dev/full", err) != 0, "standard output is full");
        ok(strstr(slurp(err), "cannot write standard output: No space left") != NULL, "is told");
        ok(run_child(NULL, NULL, "/dev/full", err) != 0, "so it is for the table");
    } else {
        skip(3, "no /dev/full");
    }
    unlink(out);
    unlink(err);
}

static void test_pipe(void)
{
    struct result_point point = make_point();
    struct result *result;
    int fds[2], keep = dup(1), status;

    signal(SIGPIPE, SIG_IGN);
    if (pipe(fds) || keep < 0)
        bail("pipe");
    close(fds[0]);
    dup2(fds[1], 1);
    close(fds[1]);
    open_quiet(&result, "-", NULL);
    status = result_point(result, &point, NULL, NULL, &error);
    result_close(result, 0, NULL, &error);
    /* What stdio still holds goes into the closed pipe, too. */
    fflush(stdout);
    clearerr(stdout);
    dup2(keep, 1);
    close(keep);
    is_int(status, -1, "a pipe without a reader");
    is_str(error.text, "cannot write standard output: Broken pipe", "is told");
}

int main(void)
{
    if (!mkdtemp(dir))
        bail("mkdtemp");
    snprintf(json_name, sizeof json_name, "%s/r.json", dir);
    snprintf(csv_name, sizeof csv_name, "%s/r.csv", dir);
    test_files();
    test_users();
    test_lines();
    test_failures();
    test_partial();
    test_terminal();
    test_pipe();
    unlink(json_name);
    unlink(csv_name);
    is_int(rmdir(dir), 0, "an empty directory at the end");
    return done_testing();
}
