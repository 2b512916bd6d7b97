/** The forms in which a person says who this browser is, fetched together when the first of them is shown. */
export { ChooseTenant } from './choose-tenant.tsx'
export { LiftDialog } from './lift.tsx'
export { SignIn } from './sign-in.tsx'
