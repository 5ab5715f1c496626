// ASCII characters as bytes, shared by all modules but those whose loops take over 1 % longer with them: V8 folds a
// constant of the same module into the code, but reads an imported one from memory at each use. Such a module declares
// its own, and a test compares them with these.
export const NEWLINE = 0x0a
export const CARRIAGE_RETURN = 0x0d
export const SPACE = 0x20
export const QUOTE = 0x22
export const COMMA = 0x2c
export const MINUS = 0x2d
export const DOT = 0x2e
export const ZERO = 0x30
export const NINE = 0x39
export const COLON = 0x3a
export const OPEN_BRACKET = 0x5b
export const BACKSLASH = 0x5c
export const CLOSE_BRACKET = 0x5d
export const OPEN_BRACE = 0x7b
export const CLOSE_BRACE = 0x7d
