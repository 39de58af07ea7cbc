export declare const ingress: string
export declare const admin: string
