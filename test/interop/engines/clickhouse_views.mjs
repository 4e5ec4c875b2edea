/**
 * ClickHouse as a library, with what `candlehouse ddl clickhouse` prints on stdin: runs every statement, then answers the
 * queries of its first argument, a JSON object of texts, as a JSON object of rows.
 */
import { text } from 'node:stream/consumers'
import { Session } from 'chdb'

const queries = JSON.parse(process.argv[2])
const statements = (await text(process.stdin)).split(/;\n/).filter((statement) => statement.trim() !== '')
// It reads no file outside the folder that it was started in.
process.chdir('/')
const session = new Session()
for (const statement of statements) session.query(statement)
const answers = Object.entries(queries).map(([name, query]) => [
  name,
  session
    .query(query, 'JSONCompactEachRow')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line)),
])
process.stdout.write(`${JSON.stringify(Object.fromEntries(answers))}\n`)
process.exit(0)
