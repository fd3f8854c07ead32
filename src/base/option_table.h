/* SPDX-License-Identifier: Apache-2.0 */
/* Options of command lines: reading words, --help and errors come from the rows of a table, in one way for every
 * program. Thread-safe; inside an out-of-memory guard. */
#ifndef HD_BASE_OPTION_TABLE_H_
#define HD_BASE_OPTION_TABLE_H_

#include <stdint.h>

#include "base/arena.h"
#include "base/status.h"
#include "base/strbuf.h"

typedef enum hd_option_kind {
  HD_OPTION_FLAG,   /* bool: takes no text and sets true */
  HD_OPTION_BOOL,   /* bool: true without text; else true, 1, false or 0 */
  HD_OPTION_TEXT,   /* const char *, lent */
  HD_OPTION_PATH,   /* the same, as hd_option_path gives it */
  HD_OPTION_JOINED, /* const char *; given several times, all with + between */
  HD_OPTION_TEXTS,  /* hd_option_texts: may be given several times */
  HD_OPTION_PATHS,  /* the same, of paths */
  HD_OPTION_COUNT,  /* uint64_t from 1 on */
  HD_OPTION_INDEX,  /* uint64_t from 0 to INT32_MAX */
  HD_OPTION_SEED,   /* uint64_t */
  HD_OPTION_BYTES,  /* uint64_t from 1 on; K, M and G are understood */
  HD_OPTION_NUMBER, /* double above 0, at most 1e9 */
  HD_OPTION_BOUND,  /* double from 0 to 1e9 */
} hd_option_kind;

enum { HD_OPTION_MAX_TEXTS = 64 };

/* What is given several times, in order. */
typedef struct hd_option_texts {
  const char *data[HD_OPTION_MAX_TEXTS];
  size_t len;
} hd_option_texts;

typedef struct hd_option_row {
  const char *name, *value; /* |value|: what must follow; in brackets, what may follow after '='; null: nothing */
  hd_option_kind kind;
  size_t offset;     /* of the field in the struct that the table's reader fills */
  unsigned commands; /* a bit for each that takes it */
  const char *help;  /* words, which --help wraps; null: it does not show the option */
  char letter;       /* -o FILE is the same; 0: none */
  uint64_t most;     /* of a COUNT; 0: as many as there are */
  /* In place of |kind|: reads |value| (null: none was given) into |target|, the struct. */
  hd_status (*read)(void *target, const char *value);
  const char *(*names)(void); /* of what the value may be, told after |help| */
  const char *variable;       /* of the environment, which stands for an option that is not given */
  /* Names of options, separated by spaces: those that it cannot go with, and those of which it needs one. */
  const char *not_with, *needs;
  bool of_program; /* asks something of a program, which an artifact has no more */
  bool passed_on;  /* heddle-opt hands it to the compiler */
} hd_option_row;

/* The options of |commands| among |rows|. */
typedef struct hd_option_table {
  const hd_option_row *rows;
  size_t count;
  unsigned commands;
} hd_option_table;

/* The words of a command line that are still to be read. */
typedef struct hd_option_words {
  const char *const *argv;
  int count;
  bool only_operands; /* after -- */
} hd_option_words;

typedef struct hd_option_word {
  const char *text; /* as it was typed; null: --, which says nothing itself */
  bool is_operand;
  const hd_option_row *row; /* null: the table has no such option */
  const char *value;        /* of |row|; null: none was given */
} hd_option_word;

/* Takes one word, and the next where it is its value. INVALID_ARGUMENT when a value is missing, empty or too much. */
hd_status hd_option_next(const hd_option_table *table, hd_option_words *words, hd_option_word *out) HD_MUST_USE;

/* Reads |value|, which |row| takes, into its field of |target|. INVALID_ARGUMENT begins with the option. */
hd_status hd_option_read(const hd_option_row *row, hd_arena *arena, const char *value, void *target) HD_MUST_USE;

/* Variables of the environment, into fields of options that are not |given|, a bool per row. */
hd_status hd_option_read_environment(const hd_option_table *table, const bool *given, void *target) HD_MUST_USE;

/* Reads |text| (null: none was given) into |*field|. |most|: of a count; 0: there is no limit. The failure is
 * INVALID_ARGUMENT and begins with |by|, what the user wrote the value to. */
hd_status hd_option_read_value(hd_option_kind kind, const char *by, const char *text, uint64_t most,
                               void *field) HD_MUST_USE;

/* INVALID_ARGUMENT when options are |given| that do not go together, or one without what it needs. */
hd_status hd_option_check(const hd_option_table *table, const bool *given, hd_arena *arena) HD_MUST_USE;

/* INVALID_ARGUMENT: |word| is no |what|; names the option that is nearly spelt so. */
hd_status hd_option_unknown(const hd_option_table *table, const char *what, const char *word) HD_MUST_USE;

/* What --help shows of the options, aligned. */
void hd_option_print(const hd_option_table *table, hd_strbuf *out);

/* |path| with "./" before a dash: a message that begins with a dash is about an option. "-" stays. */
const char *hd_option_path(hd_arena *arena, const char *path);

#endif
