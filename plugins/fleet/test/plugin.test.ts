import { pluginSuite } from '@gateway/sdk/testing'
import fleet from '../src/index.ts'
import { needed } from './support.ts'

pluginSuite(fleet, { folder: import.meta.dirname, with: needed })
