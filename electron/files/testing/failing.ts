/** For tests: a function that only throws this error. */
export const failing = (error: Error) => (): never => {
  throw error;
};
