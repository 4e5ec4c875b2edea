/** `make notebooks`: executes the notebooks on the sandbox's market and writes their outputs into them. */
import { folder, NotebookMarket, notebooks } from './market.js'

const market = new NotebookMarket()
try {
  await market.fill()
  await market.execute(notebooks, folder)
} finally {
  market.close()
}
