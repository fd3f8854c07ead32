/* SPDX-License-Identifier: Apache-2.0 */
/* heddle_python: executions of a program on numpy arrays, as an extension module of CPython (stable ABI of 3.11).
 *
 * heddle.runtime does everything else by ctypes, which costs some microseconds where it makes and reads C structures; a
 * call of a small program takes a third of one. An array is read by the buffer protocol without a format, which numpy
 * gives for ml_dtypes' types too; its element type is looked up by its dtype. An argument that is not a dense, aligned
 * numpy.ndarray is first made one by a function of heddle.runtime.
 *
 * Executions run without the interpreter's lock. A Program is used from many threads; it borrows the executable and the
 * runtime, whose owner in Python outlives it. */
#define PY_SSIZE_T_CLEAN
#define Py_LIMITED_API 0x030B0000
#include <Python.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/limits.h"
#include "heddle/runtime.h"

enum { STACK_ARRAYS = 16 };

/* ---- results: memory of a buffer ------------------------------------------------------------------------------- */

typedef struct memory {
  PyObject_HEAD hd_buffer *buffer; /* owned */
} memory;

static PyTypeObject *memory_type;

static int memory_get(PyObject *self, Py_buffer *view, int flags) {
  const hd_buffer *buffer = ((memory *)self)->buffer;
  return PyBuffer_FillInfo(view, self, hd_buffer_data(buffer), (Py_ssize_t)hd_buffer_bytes(buffer), 0, flags);
}

/* Types on the heap are counted by their objects. */
static void free_object(PyObject *self) {
  PyTypeObject *type = Py_TYPE(self);
  ((freefunc)PyType_GetSlot(type, Py_tp_free))(self);
  Py_DECREF(type);
}

static void memory_free(PyObject *self) {
  hd_buffer_release(((memory *)self)->buffer);
  free_object(self);
}

static PyType_Slot memory_slots[] = {
    {Py_tp_doc, "Memory of a result, which lives as long as an array that views it."},
    {Py_tp_dealloc, memory_free},
    {Py_bf_getbuffer, memory_get},
    {0, NULL},
};
static PyType_Spec memory_spec = {"heddle_python.Memory", sizeof(memory), 0,
                                  Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, memory_slots};

/* ---- programs --------------------------------------------------------------------------------------------------- */

typedef struct program {
  PyObject_HEAD hd_executable *executable; /* borrowed, as is the runtime */
  hd_runtime *runtime;
  int32_t output_count;
  hd_run_stats *stats; /* of the last call; borrowed */
  PyObject *numbers;   /* dict: element type by dtype */
  PyObject *dtypes;    /* dict: dtype by element type */
  PyObject *ndarray;   /* numpy.ndarray */
  PyObject *dense;     /* function: of an array-like and its number a dense, aligned numpy.ndarray of |numbers| */
  PyObject *read;      /* function: an array of a buffer (address) whose memory the host cannot use; takes the buffer */
  PyObject *check;     /* function: raises what a status (address) says, and frees it */
} program;

static PyObject *dtype_name;

static void program_free(PyObject *self) {
  program *p = (program *)self;
  PyObject *held[] = {p->numbers, p->dtypes, p->ndarray, p->dense, p->read, p->check};
  for (size_t i = 0; i < sizeof held / sizeof *held; ++i) Py_XDECREF(held[i]);
  free_object(self);
}

static PyObject *program_new(PyTypeObject *type, PyObject *arguments, PyObject *keywords) {
  unsigned long long executable, runtime, stats;
  int outputs;
  PyObject *o[6];
  if (keywords && PyDict_Size(keywords)) {
    PyErr_SetString(PyExc_TypeError, "Program: expected arguments without names");
    return NULL;
  }
  if (!PyArg_ParseTuple(arguments, "KKiKOOOOOO", &executable, &runtime, &outputs, &stats, &o[0], &o[1], &o[2], &o[3],
                        &o[4], &o[5]))
    return NULL;
  program *p = (program *)PyType_GenericAlloc(type, 0);
  if (!p) return NULL;
  for (int i = 0; i < 6; ++i) Py_INCREF(o[i]);
  p->executable = (hd_executable *)(uintptr_t)executable;
  p->runtime = (hd_runtime *)(uintptr_t)runtime;
  p->output_count = outputs;
  p->stats = (hd_run_stats *)(uintptr_t)stats;
  p->numbers = o[0], p->dtypes = o[1], p->ndarray = o[2], p->dense = o[3], p->read = o[4], p->check = o[5];
  return (PyObject *)p;
}

/* Raises what |status| says, where it is a failure. False then. */
static bool check(program *p, hd_status status) {
  if (hd_is_ok(status)) return true;
  PyObject *address = PyLong_FromVoidPtr(status);
  PyObject *none = address ? PyObject_CallFunctionObjArgs(p->check, address, NULL) : NULL;
  Py_XDECREF(address);
  Py_XDECREF(none); /* it raised */
  return false;
}

/* ---- arguments -------------------------------------------------------------------------------------------------- */

typedef struct arrays {
  Py_ssize_t count;
  hd_buffer **buffers; /* null: bound */
  Py_buffer *views;    /* obj null: none */
  hd_buffer *few_buffers[STACK_ARRAYS];
  Py_buffer few_views[STACK_ARRAYS];
} arrays;

static bool arrays_make(arrays *a, Py_ssize_t count) {
  a->count = count;
  a->buffers = count <= STACK_ARRAYS ? a->few_buffers : PyMem_Malloc((size_t)count * sizeof *a->buffers);
  a->views = count <= STACK_ARRAYS ? a->few_views : PyMem_Malloc((size_t)count * sizeof *a->views);
  if (!a->buffers || !a->views) {
    if (a->buffers != a->few_buffers) PyMem_Free(a->buffers);
    if (a->views != a->few_views) PyMem_Free(a->views);
    PyErr_NoMemory();
    return false;
  }
  for (Py_ssize_t i = 0; i < count; ++i) a->buffers[i] = NULL, a->views[i].obj = NULL;
  return true;
}

static void arrays_free(arrays *a) {
  for (Py_ssize_t i = 0; i < a->count; ++i) {
    hd_buffer_release(a->buffers[i]);
    if (a->views[i].obj) PyBuffer_Release(&a->views[i]);
  }
  if (a->buffers != a->few_buffers) PyMem_Free(a->buffers);
  if (a->views != a->few_views) PyMem_Free(a->views);
}

/* The element type of |array|'s dtype; 0 where tensors have none such. -1: an exception. */
static long element_of(program *p, PyObject *array) {
  PyObject *dtype = PyObject_GetAttr(array, dtype_name);
  if (!dtype) return -1;
  PyObject *number = PyDict_GetItemWithError(p->numbers, dtype);
  Py_DECREF(dtype);
  if (!number) return PyErr_Occurred() ? -1 : 0;
  return PyLong_AsLong(number);
}

/* The view of a numpy.ndarray that is dense and aligned; its element type, as element_of. 0, without an exception,
 * where |array| is none. */
static long view_of(program *p, PyObject *array, Py_buffer *view) {
  if ((PyObject *)Py_TYPE(array) != p->ndarray) return 0;
  if (PyObject_GetBuffer(array, view, PyBUF_C_CONTIGUOUS)) {
    PyErr_Clear();
    view->obj = NULL;
    return 0;
  }
  long element = element_of(p, array);
  bool is_complex = element == HD_ELEMENT_C64 || element == HD_ELEMENT_C128; /* aligned as their parts */
  size_t part = (size_t)view->itemsize / (is_complex ? 2 : 1);
  if (element > 0 && (part <= 1 || (uintptr_t)view->buf % part == 0)) return element;
  PyBuffer_Release(view);
  view->obj = NULL;
  return element < 0 ? -1 : 0;
}

/* Wraps |array| as argument |i|. False: an exception. */
static bool wrap(program *p, arrays *a, Py_ssize_t i, PyObject *array) {
  Py_INCREF(array);
  long element = view_of(p, array, &a->views[i]);
  if (element == 0) { /* not yet what the runtime takes */
    PyObject *number = PyLong_FromSsize_t(i);
    PyObject *dense = number ? PyObject_CallFunctionObjArgs(p->dense, array, number, NULL) : NULL;
    Py_XDECREF(number);
    Py_DECREF(array);
    if (!dense) return false;
    array = dense;
    element = view_of(p, array, &a->views[i]);
    if (element == 0) PyErr_Format(PyExc_TypeError, "argument %zd: expected a dense array, got %R", i, array);
  }
  Py_DECREF(array); /* its view holds it */
  if (element <= 0) return false;
  const Py_buffer *view = &a->views[i];
  int64_t dims[HD_MAX_RANK];
  for (int d = 0; d < view->ndim; ++d) dims[d] = view->shape[d];
  return check(p, hd_buffer_wrap(p->runtime, (hd_element_type)element, view->ndim, dims, NULL, view->buf, NULL, NULL,
                                 &a->buffers[i]));
}

/* ---- results ---------------------------------------------------------------------------------------------------- */

static PyObject *shape_of(const hd_buffer *buffer) {
  int32_t rank = hd_buffer_rank(buffer);
  PyObject *shape = PyTuple_New(rank);
  for (int32_t d = 0; shape && d < rank; ++d) {
    PyObject *size = PyLong_FromLongLong(hd_buffer_dims(buffer)[d]);
    if (!size || PyTuple_SetItem(shape, d, size)) {
      Py_DECREF(shape);
      return NULL;
    }
  }
  return shape;
}

/* An array over |buffer|, which it takes, also where it fails. */
static PyObject *array_of(program *p, hd_buffer *buffer) {
  size_t bytes = hd_buffer_bytes(buffer);
  if (bytes && !hd_buffer_data(buffer)) {
    PyObject *address = PyLong_FromVoidPtr(buffer);
    PyObject *copy = address ? PyObject_CallFunctionObjArgs(p->read, address, NULL) : NULL;
    if (!address) hd_buffer_release(buffer);
    Py_XDECREF(address);
    return copy;
  }
  memory *m = (memory *)PyType_GenericAlloc(memory_type, 0);
  if (!m) {
    hd_buffer_release(buffer);
    return NULL;
  }
  m->buffer = buffer;
  PyObject *array = NULL, *shape = shape_of(buffer), *number = PyLong_FromLong((long)hd_buffer_type(buffer));
  PyObject *dtype = number ? PyDict_GetItemWithError(p->dtypes, number) : NULL; /* borrowed */
  if (number && !dtype && !PyErr_Occurred())
    PyErr_Format(PyExc_TypeError, "a result of element type %S, which numpy does not have", number);
  /* Without elements there is no memory to view. */
  if (shape && dtype)
    array = PyObject_CallFunctionObjArgs(p->ndarray, shape, dtype, bytes ? (PyObject *)m : NULL, NULL);
  Py_XDECREF(shape);
  Py_XDECREF(number);
  Py_DECREF(m);
  return array;
}

/* The list of results; takes |outputs|. */
static PyObject *results_of(program *p, hd_buffer **outputs) {
  PyObject *list = PyList_New(p->output_count);
  for (int32_t i = 0; i < p->output_count; ++i) {
    PyObject *array = list ? array_of(p, outputs[i]) : (hd_buffer_release(outputs[i]), NULL);
    if (list && (!array || PyList_SetItem(list, i, array))) Py_CLEAR(list);
  }
  return list;
}

static hd_buffer **outputs_make(const program *p, hd_buffer **few) {
  hd_buffer **outputs = p->output_count <= STACK_ARRAYS ? few : PyMem_Malloc((size_t)p->output_count * sizeof *outputs);
  if (!outputs) return (hd_buffer **)PyErr_NoMemory();
  memset(outputs, 0, (size_t)p->output_count * sizeof *outputs);
  return outputs;
}

/* ---- calls ------------------------------------------------------------------------------------------------------ */

/* call(communicator, arrays...): the list of results. */
static PyObject *program_call(PyObject *self, PyObject *const *arguments, Py_ssize_t count) {
  program *p = (program *)self;
  if (count < 1) {
    PyErr_SetString(PyExc_TypeError, "call: expected a communicator or None");
    return NULL;
  }
  hd_run_stats stats = {0};
  hd_execute_options options = {.struct_size = sizeof options, .out_stats = &stats};
  if (arguments[0] != Py_None && !(options.communicator = PyLong_AsVoidPtr(arguments[0])) && PyErr_Occurred())
    return NULL;
  arrays a;
  hd_buffer *few[STACK_ARRAYS], **outputs;
  if (!arrays_make(&a, count - 1)) return NULL;
  PyObject *results = NULL;
  if (!(outputs = outputs_make(p, few))) goto end;
  for (Py_ssize_t i = 0; i < a.count; ++i)
    if (arguments[i + 1] != Py_None && !wrap(p, &a, i, arguments[i + 1])) goto end;
  PyThreadState *thread = PyEval_SaveThread();
  hd_status status =
      hd_executable_execute(p->executable, &options, a.buffers, (int32_t)a.count, outputs, p->output_count);
  PyEval_RestoreThread(thread);
  *p->stats = stats;
  if (check(p, status)) results = results_of(p, outputs);
end:
  if (outputs && outputs != few) PyMem_Free(outputs);
  arrays_free(&a);
  return results;
}

/* Reads a tuple of integers of at most HD_MAX_RANK. False: an exception. */
static bool numbers_of(PyObject *tuple, int64_t *out, Py_ssize_t count) {
  for (Py_ssize_t d = 0; d < count; ++d) {
    out[d] = PyLong_AsLongLong(PyTuple_GetItem(tuple, d));
    if (out[d] == -1 && PyErr_Occurred()) return false;
  }
  return true;
}

/* Wraps |memory|, (address, element type, shape, strides in elements or None). False: an exception. */
static bool wrap_memory(program *p, hd_buffer **out, PyObject *memory) {
  unsigned long long address;
  int element;
  PyObject *shape, *strides;
  int64_t dims[HD_MAX_RANK], steps[HD_MAX_RANK];
  if (!PyArg_ParseTuple(memory, "KiO!O", &address, &element, &PyTuple_Type, &shape, &strides)) return false;
  Py_ssize_t rank = PyTuple_Size(shape);
  bool strided = strides != Py_None;
  if (rank > HD_MAX_RANK || (strided && (!PyTuple_Check(strides) || PyTuple_Size(strides) != rank))) {
    PyErr_Format(PyExc_ValueError, "expected at most %d dims, and a stride of each, got %R and %R", HD_MAX_RANK, shape,
                 strides);
    return false;
  }
  if (!numbers_of(shape, dims, rank) || (strided && !numbers_of(strides, steps, rank))) return false;
  return check(p, hd_buffer_wrap(p->runtime, (hd_element_type)element, (int32_t)rank, dims, strided ? steps : NULL,
                                 (void *)(uintptr_t)address, NULL, NULL, out));
}

static bool wrap_memories(program *p, arrays *a, PyObject *list) {
  for (Py_ssize_t i = 0; i < a->count; ++i) {
    PyObject *memory = PyList_GetItem(list, i);
    if (memory != Py_None && !PyTuple_Check(memory)) {
      PyErr_Format(PyExc_TypeError, "expected (address, element type, shape, strides) or None, got %R", memory);
      return false;
    }
    if (memory != Py_None && !wrap_memory(p, &a->buffers[i], memory)) return false;
  }
  return true;
}

/* run(inputs, outputs): lists of memory; of a bound input None. */
static PyObject *program_run(PyObject *self, PyObject *const *arguments, Py_ssize_t count) {
  program *p = (program *)self;
  if (count != 2 || !PyList_Check(arguments[0]) || !PyList_Check(arguments[1]) ||
      PyList_Size(arguments[1]) != p->output_count) {
    PyErr_Format(PyExc_TypeError, "run: expected a list of inputs and one of %d outputs", (int)p->output_count);
    return NULL;
  }
  arrays inputs, outputs;
  if (!arrays_make(&inputs, PyList_Size(arguments[0]))) return NULL;
  bool done = arrays_make(&outputs, p->output_count);
  if (done) {
    done = wrap_memories(p, &inputs, arguments[0]) && wrap_memories(p, &outputs, arguments[1]);
    if (done) {
      PyThreadState *thread = PyEval_SaveThread();
      hd_status status = hd_executable_execute(p->executable, NULL, inputs.buffers, (int32_t)inputs.count,
                                               outputs.buffers, p->output_count);
      PyEval_RestoreThread(thread);
      done = check(p, status);
    }
    arrays_free(&outputs);
  }
  arrays_free(&inputs);
  if (!done) return NULL;
  Py_RETURN_NONE;
}

/* bind(i, memory): argument |i| stays what is there. */
static PyObject *program_bind(PyObject *self, PyObject *arguments) {
  program *p = (program *)self;
  int i;
  PyObject *memory;
  hd_buffer *buffer = NULL;
  if (!PyArg_ParseTuple(arguments, "iO!", &i, &PyTuple_Type, &memory) || !wrap_memory(p, &buffer, memory)) return NULL;
  bool done = check(p, hd_executable_bind(p->executable, i, buffer));
  hd_buffer_release(buffer);
  if (!done) return NULL;
  Py_RETURN_NONE;
}

/* ---- prepared calls --------------------------------------------------------------------------------------------- */

typedef struct prepared {
  PyObject_HEAD program *program; /* owned */
  PyObject *owner;                /* of the executable; owned */
  arrays arrays;
  hd_buffer **outputs, *few[STACK_ARRAYS];
} prepared;

static PyTypeObject *prepared_type;

static void prepared_free(PyObject *self) {
  prepared *call = (prepared *)self;
  if (call->arrays.buffers) arrays_free(&call->arrays);
  if (call->outputs != call->few) PyMem_Free(call->outputs);
  Py_XDECREF((PyObject *)call->program);
  Py_XDECREF(call->owner);
  free_object(self);
}

static PyObject *prepared_run(PyObject *self, PyObject *unused) {
  (void)unused;
  prepared *call = (prepared *)self;
  program *p = call->program;
  PyThreadState *thread = PyEval_SaveThread();
  hd_status status = hd_executable_execute(p->executable, NULL, call->arrays.buffers, (int32_t)call->arrays.count,
                                           call->outputs, p->output_count);
  for (int32_t i = 0; i < p->output_count; ++i) {
    hd_buffer_release(call->outputs[i]);
    call->outputs[i] = NULL;
  }
  PyEval_RestoreThread(thread);
  if (!check(p, status)) return NULL;
  Py_RETURN_NONE;
}

static PyMethodDef prepared_methods[] = {
    {"run", prepared_run, METH_NOARGS, "Runs the program and drops the results. By one thread at a time."},
    {NULL, NULL, 0, NULL},
};
static PyType_Slot prepared_slots[] = {
    {Py_tp_doc, "A call whose arrays were wrapped ahead."},
    {Py_tp_dealloc, prepared_free},
    {Py_tp_methods, prepared_methods},
    {0, NULL},
};
static PyType_Spec prepared_spec = {"heddle_python.Prepared", sizeof(prepared), 0,
                                    Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, prepared_slots};

/* prepare(owner, arrays...): a Prepared. */
static PyObject *program_prepare(PyObject *self, PyObject *const *arguments, Py_ssize_t count) {
  program *p = (program *)self;
  if (count < 1) {
    PyErr_SetString(PyExc_TypeError, "prepare: expected the owner of the executable");
    return NULL;
  }
  prepared *call = (prepared *)PyType_GenericAlloc(prepared_type, 0);
  if (!call) return NULL;
  call->outputs = call->few;
  bool made = arrays_make(&call->arrays, count - 1);
  if (!made) call->arrays.buffers = NULL;
  Py_INCREF(self);
  call->program = p;
  Py_INCREF(arguments[0]);
  call->owner = arguments[0];
  made = made && (call->outputs = outputs_make(p, call->few)) != NULL;
  for (Py_ssize_t i = 0; made && i < call->arrays.count; ++i)
    made = arguments[i + 1] == Py_None || wrap(p, &call->arrays, i, arguments[i + 1]);
  if (made) return (PyObject *)call;
  Py_DECREF(call);
  return NULL;
}

/* CPython calls a function of the table as its flags say. */
#define FAST(function) ((PyCFunction)(void (*)(void))(function))

static PyMethodDef program_methods[] = {
    {"call", FAST(program_call), METH_FASTCALL, "call(communicator, arrays...): the list of results. From any thread."},
    {"run", FAST(program_run), METH_FASTCALL,
     "run(inputs, outputs): on lists of (address, element type, shape, strides or None); None: bound. From any "
     "thread."},
    {"bind", program_bind, METH_VARARGS,
     "bind(i, memory): argument i stays what is at (address, element type, shape, strides or None)."},
    {"prepare", FAST(program_prepare), METH_FASTCALL, "prepare(owner, arrays...): a Prepared, which holds |owner|."},
    {NULL, NULL, 0, NULL},
};
static PyType_Slot program_slots[] = {
    {Py_tp_doc, "Program(executable, runtime, output_count, stats, numbers, dtypes, ndarray, dense, read, check)."},
    {Py_tp_new, program_new},
    {Py_tp_dealloc, program_free},
    {Py_tp_methods, program_methods},
    {0, NULL},
};
static PyType_Spec program_spec = {"heddle_python.Program", sizeof(program), 0, Py_TPFLAGS_DEFAULT, program_slots};

static struct PyModuleDef module = {.m_base = PyModuleDef_HEAD_INIT,
                                    .m_name = "heddle_python",
                                    .m_doc = "Executions of a program on numpy arrays.",
                                    .m_size = -1};

PyMODINIT_FUNC PyInit_heddle_python(void);
PyMODINIT_FUNC PyInit_heddle_python(void) {
  PyObject *self = PyModule_Create(&module);
  if (!self) return NULL;
  dtype_name = PyUnicode_InternFromString("dtype");
  memory_type = (PyTypeObject *)PyType_FromSpec(&memory_spec);
  prepared_type = (PyTypeObject *)PyType_FromSpec(&prepared_spec);
  PyObject *type = PyType_FromSpec(&program_spec);
  if (dtype_name && memory_type && prepared_type && type && PyModule_AddObjectRef(self, "Program", type) == 0) {
    Py_DECREF(type);
    return self;
  }
  Py_XDECREF(type);
  Py_DECREF(self);
  return NULL;
}
