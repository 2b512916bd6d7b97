/**
 * Whose the kernel’s own records are: a tenant id that no tenant can have. Their collections no plugin can list: ids that begin with
 * `gateway.` are the kernel’s.
 */
export const KERNEL_TENANT = '_gateway'
