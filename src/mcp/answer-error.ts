/** An error of the process that answers, in its words. */
export class AnswerError extends Error {}
