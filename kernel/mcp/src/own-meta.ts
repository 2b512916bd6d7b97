/** Beginning of a result with `_meta` of its own, to which an era adds its members. */
export const OWN_META = '{"_meta":{'
