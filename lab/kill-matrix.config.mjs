// `npm run kill-matrix`: one file that is no test of the suite, since it only prints.
export default {
  test: {
    include: ['lab/mutants/kill-matrix.run.ts'],
    reporters: ['dot'],
    disableConsoleIntercept: true,
  },
}
