/** A Thursday. The sandbox's accounts begin anew some sessions before it, so that it has little to compute when it starts. */
export const EARLY_DAY = '2025-12-11'
