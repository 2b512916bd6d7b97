import { pluginSuite } from '@gateway/testing'
import runners from '../src/index.ts'
import { needed } from './support.ts'

pluginSuite(runners, { folder: import.meta.dirname, with: needed })
