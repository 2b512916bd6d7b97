import outgoing from '@gateway/plugin-outgoing'
import { pluginSuite } from '@gateway/testing'
import providers from '../src/index.ts'

pluginSuite(providers, { folder: import.meta.dirname, with: [outgoing] })
