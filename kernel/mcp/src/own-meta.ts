/** Beginning of a result with its own `_meta`, to which each protocol adds its members. */
export const OWN_META = '{"_meta":{'
