/**
 * A limit that is a parameter. SQLite plans a statement with a bare `limit ?` again at every run because of its value, which
 * costs several times the seek; it does not look into a sum.
 */
export const LIMIT = 'limit 0 + ?'
