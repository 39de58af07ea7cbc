export declare const selected: number | undefined
export declare function select(seq: number | undefined): void
