/** The globals of the test framework. */
declare function describe(what: string, tests: () => void): void;
declare function it(what: string, test: (this: { timeout(milliseconds: number): void }) => void | Promise<void>): void;
declare function beforeEach(step: () => void | Promise<void>): void;
declare function afterEach(step: () => void | Promise<void>): void;
