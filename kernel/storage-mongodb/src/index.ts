export { type MongoOptions, openMongo } from './open.ts'
export { mongoRows } from './rows.ts'
export { MongoStore } from './store.ts'
