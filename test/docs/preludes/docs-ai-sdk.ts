export declare const id: string
