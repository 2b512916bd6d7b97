import { pluginSuite } from '@gateway/testing'
import fleet from '../src/index.ts'
import { needed } from './support.ts'

pluginSuite(fleet, { folder: import.meta.dirname, with: needed })
