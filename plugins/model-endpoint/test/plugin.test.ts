import outgoing from '@gateway/plugin-outgoing'
import providers from '@gateway/plugin-providers'
import { pluginSuite } from '@gateway/testing'
import modelEndpoint from '../src/index.ts'

pluginSuite(modelEndpoint, { folder: import.meta.dirname, with: [outgoing, providers] })
