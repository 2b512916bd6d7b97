/**
 * A limit that is a parameter. SQLite plans a statement with a bare `limit ?` anew at every run, for the sake of its value,
 * and that costs several times the seek; into a sum it does not look.
 */
export const LIMIT = 'limit 0 + ?'
