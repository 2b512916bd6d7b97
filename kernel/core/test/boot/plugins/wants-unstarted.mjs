export { wants as default } from './needs-unstarted.mjs'
