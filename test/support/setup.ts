// An unhandled rejection fails the run: a lost promise is a lost mail.
process.on('unhandledRejection', (reason) => {
  throw reason
})
