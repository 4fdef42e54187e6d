# SPDX-License-Identifier: BSD-2-Clause
"""The declarations of <fecrun/fecrun.h> that the package uses, as cffi reads them.

tests/test_library.py has the C compiler compare them with the header. Addresses of arrays are numbers
here: to make a pointer of one first takes cffi longer than the call.
"""

CDEF = """
struct fecrun_message { size_t size; int status; char text[1024]; };

struct fecrun_options {
    size_t size;
    const char *const *plugin_dirs;
    const char *const *sets;
    const char *backend;
    unsigned threads;
    const char *base_dir;
};

struct fecrun_session;

int fecrun_open(struct fecrun_session **session, const char *path,
                const struct fecrun_options *options, struct fecrun_message *message);
int fecrun_open_text(struct fecrun_session **session, const char *name, const char *text,
                     size_t bytes, const struct fecrun_options *options,
                     struct fecrun_message *message);
void fecrun_close(struct fecrun_session *session);
const char *fecrun_version(void);
int fecrun_check(struct fecrun_session *session, struct fecrun_message *message);

struct fecrun_point {
    size_t size;
    size_t n_set;
    const char *const *set_names;
    const char *const *set_values;
    double ebn0_db;
    double esn0_db;
    uint64_t frames;
    uint64_t bits;
    int counted;
    uint64_t bit_errors;
    uint64_t frame_errors;
    double fer_low;
    double fer_high;
    int checked;
    uint64_t undetected;
    double iterations_mean;
    uint64_t iterations_max;
    double seconds;
    const char *stop;
    uint64_t info_bits;
    uint64_t blocks;
    int blocks_judged;
    uint64_t block_errors;
    double ber_low;
    double ber_high;
    uint64_t failed;
    uint64_t left_over;
};

struct fecrun_callbacks {
    size_t size;
    void *data;
    int (*point)(void *data, const struct fecrun_point *point);
    volatile int *cancel;
    int (*cancelled)(void *data);
};

int fecrun_run(struct fecrun_session *session, const struct fecrun_callbacks *callbacks,
               struct fecrun_message *message);

struct fecrun_progress {
    size_t size;
    int running;
    size_t point;
    size_t points;
    uint64_t frames;
    uint64_t bits;
    uint64_t bit_errors;
    uint64_t frame_errors;
    uint64_t most_frames;
    uint64_t most_frame_errors;
    double seconds;
    double most_seconds;
};

void fecrun_get_progress(struct fecrun_session *session, struct fecrun_progress *progress);
void fecrun_cancel(struct fecrun_session *session);

struct fecrun_prepared;

struct fecrun_prepare_options { size_t size; uint64_t frames; void *const *stream; };

int fecrun_prepare(struct fecrun_prepared **prepared, struct fecrun_session *session,
                   const struct fecrun_prepare_options *options, struct fecrun_message *message);
void fecrun_finish(struct fecrun_prepared *prepared);

struct fecrun_port_info {
    size_t size;
    int output;
    uint32_t kind;
    uint32_t type;
    uint64_t frames;
    uint64_t items;
    size_t frame_bytes;
    size_t bytes;
    const char *space;
    int device;
    uint32_t pieces;
    void *own;
};

int fecrun_get_port(const struct fecrun_prepared *prepared, const char *stage,
                    struct fecrun_port_info *info, struct fecrun_message *message);
int fecrun_bind_input(struct fecrun_prepared *prepared, const char *stage, uintptr_t data,
                      size_t bytes, size_t stride, struct fecrun_message *message);
int fecrun_bind_output(struct fecrun_prepared *prepared, const char *stage, uintptr_t data,
                       size_t bytes, size_t stride, struct fecrun_message *message);
int fecrun_execute(struct fecrun_prepared *prepared, uint64_t frames,
                   struct fecrun_message *message);

struct fecrun_frame_info { uint32_t flags; uint32_t iterations; uint64_t bit_errors; };

const struct fecrun_frame_info *fecrun_get_infos(const struct fecrun_prepared *prepared);

int fecrun_set(struct fecrun_prepared *prepared, const char *const *sets,
               struct fecrun_message *message);

struct fecrun_param {
    size_t size;
    const char *name;
    uint32_t type;
    int64_t imin;
    int64_t imax;
    double fmin;
    double fmax;
    const char *const *choices;
    uint32_t flags;
    const char *unit;
    const char *default_text;
    const char *help;
    const char *const *choices_help;
    const char *unless;
    const char *const *old_names;
    const void *old_choices;
};

struct fecrun_port { size_t size; const char *name; uint32_t kinds; uint32_t flags; const char *help; };

struct fecrun_stage {
    size_t size;
    const char *name;
    uint32_t role;
    uint32_t flags;
    const char *summary;
    const char *undoes;
    const char *follows;
    const struct fecrun_param *const *params;
    const struct fecrun_port *const *inputs;
    const void *outputs;
    const void *backends;
    void *plan;
    void *plan_free;
    const void *examples;
};

struct fecrun_plugin {
    size_t size;
    uint32_t abi;
    const char *name;
    const char *version;
    const char *license;
    const void *stages;
    const void *providers;
};

struct fecrun_backend {
    size_t size;
    const char *name;
    const char *provider;
    uint32_t interface;
    const char *summary;
    const char *const *old_names;
    const void *forms;
    uint32_t agreement;
    double bound;
    const void *tune;
    const char *const *absorbs;
    void *probe;
    void *takes;
    void *note;
    void *create;
    void *scratch;
    void *run;
    void *finish;
    void *destroy;
    void *bound_gbps;
};

struct fecrun_list;

struct fecrun_stage_info {
    size_t size;
    const struct fecrun_stage *stage;
    const struct fecrun_plugin *plugin;
    const char *path;
};

struct fecrun_backend_info {
    size_t size;
    const struct fecrun_backend *backend;
    int available;
    const char *reason;
};

int fecrun_list_open(struct fecrun_list **list, const struct fecrun_options *options,
                     struct fecrun_message *message);
void fecrun_list_close(struct fecrun_list *list);
int fecrun_list_stage(const struct fecrun_list *list, size_t i, struct fecrun_stage_info *info);
int fecrun_list_find(const struct fecrun_list *list, const char *name, size_t *stage,
                     struct fecrun_message *message);
int fecrun_list_backend(const struct fecrun_list *list, size_t stage, size_t i,
                        struct fecrun_backend_info *info);
"""

# enum fecrun_frame_flags
CHECKED = 1
FAILED = 2

# FECRUN_SLACK: a device reads as many bytes behind an array's last frame.
SLACK = 64
