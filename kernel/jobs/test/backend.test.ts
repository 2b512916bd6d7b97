import { after, test } from 'node:test'
import { subject } from '../../storage/test/subject.ts'
import { buildFerretdb, type Server, startFerretdb } from '../../storage-mongodb/test/ferretdb.ts'
import { mongoSubject } from '../../storage-mongodb/test/mongodb-subject.ts'
import { backendSuite } from './backend-suite.ts'

const { MONGODB_URL } = process.env

backendSuite('jobs in SQLite', ({ clock }) => subject({ clock }))

if (MONGODB_URL) backendSuite('jobs in MongoDB', ({ clock }) => mongoSubject(MONGODB_URL, { clock }))
else test('jobs in MongoDB (needs a replica set, named by MONGODB_URL)', { skip: true })

const ferretdb = buildFerretdb()
if ('binary' in ferretdb) {
  let server: Promise<Server> | undefined
  after(async () => (await server)?.stop())
  backendSuite(
    'jobs in FerretDB',
    async ({ clock }) => mongoSubject((await (server ??= startFerretdb(ferretdb.binary))).url, { clock, withoutTransactions: true }),
    {
      exceptions: {
        'of twenty that ask at once one gets it': 'FerretDB makes no change atomic',
        'a single job is one, whoever saves it and how often': 'FerretDB makes no change atomic',
      },
    },
  )
} else test(`jobs in FerretDB (${ferretdb.reason})`, { skip: true })
