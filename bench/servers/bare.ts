/** The upper bound: one Fastify route that parses a JSON body and answers a JSON body of the gateway's size. */
import Fastify from 'fastify'

const app = Fastify()
app.get('/', async () => ({ ok: true }))
app.post('/', async (request) => ({ task: null, echoed: typeof request.body }))
await app.listen({ port: Number(process.argv[2]), host: '127.0.0.1' })
process.on('SIGTERM', () => process.exit(0))
