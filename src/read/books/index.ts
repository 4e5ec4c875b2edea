export { type AccountBooks, exportBooks } from './books.js'
