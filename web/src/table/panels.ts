/** What can be opened beside the table. */
export type Panel = "beside" | "rules" | "settings" | "keys";

/** The tabs of what stands beside it, which a wide screen keeps in sight. */
export const TABS = ["story", "ledger", "chat"] as const;
export type Tab = (typeof TABS)[number];
