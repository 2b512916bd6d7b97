export { type MongoOptions, openMongo } from './open.ts'
export { MongoStore } from './store.ts'
