import { pluginSuite } from '@gateway/sdk/testing'
import dispatch from '../src/index.ts'
import { needed } from './support.ts'

pluginSuite(dispatch, { folder: import.meta.dirname, with: needed })
