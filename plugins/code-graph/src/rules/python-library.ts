/** Modules of Python's standard library in any of 3.10 to 3.15, without private ones. Names with `*` are packages. */
const MODULES = `
__future__ __main__ _thread abc aifc annotationlib antigravity argparse array ast asynchat asyncio* asyncore atexit audioop base64 bdb
binascii bisect builtins bz2 calendar cgi cgitb chunk cmath cmd code codecs codeop collections* colorsys compileall compression*
concurrent* configparser contextlib contextvars copy copyreg cProfile crypt csv ctypes* curses* dataclasses datetime dbm* decimal difflib
dis distutils* doctest email* encodings* ensurepip* enum errno faulthandler fcntl filecmp fileinput fnmatch fractions ftplib functools gc
genericpath getopt getpass gettext glob graphlib grp gzip hashlib heapq hmac html* http* idlelib* imaplib imghdr imp importlib* inspect io
ipaddress itertools json* keyword lib2to3* linecache locale logging* lzma mailbox mailcap marshal math mimetypes mmap modulefinder msilib*
msvcrt multiprocessing* netrc nis nntplib nt ntpath nturl2path numbers opcode operator optparse os* ossaudiodev pathlib* pdb pickle
pickletools pipes pkgutil platform plistlib poplib posix posixpath pprint profile profiling* pstats pty pwd py_compile pyclbr pydoc
pydoc_data* pyexpat queue quopri random re* readline reprlib resource rlcompleter runpy sched secrets select selectors shelve shlex shutil
signal site smtpd smtplib sndhdr socket socketserver spwd sqlite3* sre_compile sre_constants sre_parse ssl stat statistics string*
stringprep struct subprocess sunau symtable sys sysconfig* syslog tabnanny tarfile telnetlib tempfile termios textwrap this threading time
timeit tkinter* token tokenize tomllib* trace traceback tracemalloc tty turtle turtledemo* types typing unicodedata unittest* urllib* uu
uuid venv* warnings wave weakref webbrowser winreg winsound wsgiref* xdrlib xml* xmlrpc* zipapp zipfile* zipimport zlib zoneinfo*`

const isPackage = new Map<string, boolean>(
  MODULES.trim()
    .split(/\s+/)
    .map((name) => [name.replace('*', ''), name.endsWith('*')]),
)

/**
 * An absolute import of a library module means the library. Only a dotted name below a module without submodules, such as
 * `cmd.serve`, must mean a package of the repo. `test` is left out: it is undocumented, and projects use that name for their
 * tests.
 */
export function isLibraryModule(module: string): boolean {
  const [head = '', ...rest] = module.split('.')
  return rest.length === 0 ? isPackage.has(head) : (isPackage.get(head) ?? false)
}

/** `from types import x` never means a module `types.x` of the repo. */
export const isLibraryName = (module: string): boolean => isPackage.has(module)
