export declare function checkedAccess(token: string | null): Promise<{ email: string } | undefined>
