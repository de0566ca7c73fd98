/** As the first line of the program and `npm start` have them. */
export const NODE_OPTIONS = ['--max-semi-space-size=8']
