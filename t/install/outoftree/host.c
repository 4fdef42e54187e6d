/* SPDX-License-Identifier: BSD-2-Clause */
/* A program that runs a pipeline file through libfecrun: host FILE.yaml [NAME=VALUE...] */
#include <fecrun/fecrun.h>
#include <stdio.h>

static int print_point(void *data, const struct fecrun_point *point)
{
    ++*(int *)data;
    printf("%g dB: %llu of %llu frames wrong, %s\n", point->ebn0_db,
           (unsigned long long)point->frame_errors, (unsigned long long)point->frames, point->stop);
    return 0;
}

int main(int argc, char **argv)
{
    int points = 0;
    struct fecrun_message message = {.size = sizeof message};
    struct fecrun_options options = {.size = sizeof options, .threads = 2};
    struct fecrun_callbacks callbacks = {
        .size = sizeof callbacks, .data = &points, .point = print_point};
    struct fecrun_session *session;

    if (argc < 2)
        return 2;
    options.sets = (const char *const *)argv + 2;
    if (fecrun_open(&session, argv[1], &options, &message)) {
        printf("status %d: %s\n", message.status, message.text);
        return message.status;
    }
    if (fecrun_check(session, &message) || fecrun_run(session, &callbacks, &message))
        printf("status %d: %s\n", message.status, message.text);
    fecrun_close(session);
    printf("%d points with fecrun %s\n", points, fecrun_version());
    return message.status;
}
