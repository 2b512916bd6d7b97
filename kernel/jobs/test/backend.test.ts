import { after, test } from 'node:test'
import { subject } from '../../storage/test/subject.ts'
import { lacksServer, mongoServer } from '../../storage-mongodb/test/mongodb-server.ts'
import { mongoSubject } from '../../storage-mongodb/test/mongodb-subject.ts'
import { backendSuite } from './backend-suite.ts'

backendSuite('jobs in SQLite', ({ clock }) => subject({ clock }))

const lacking = lacksServer()
if (lacking !== undefined) test(`jobs in MongoDB (${lacking})`, { skip: true })
else {
  const server = mongoServer()
  after(async () => (await server).stop())
  backendSuite('jobs in MongoDB', async ({ clock }) => mongoSubject((await server).url, { clock }))
}
