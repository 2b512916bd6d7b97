/** The forms of actions, fetched together when the first of them is shown. */
export { OpenForm } from './open-form.tsx'
export { RunDialog } from './run-dialog.tsx'
