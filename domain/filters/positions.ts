import { sql, type SQL } from 'drizzle-orm'
import { filters } from '../../db/schema/filters.ts'

/** How many rules there are, and `more`: the first position behind them is `countPlus(1)`. */
export const countPlus = (more: number): SQL => sql`(select count(*) + ${more} from ${filters})`
