/** The service worker, one plain script; what it keeps is written into it when all else is built. */

import { defineConfig } from "vite";

export default defineConfig({
  define: { "process.env.NODE_ENV": '"production"' },
  publicDir: false,
  logLevel: "warn",
  build: {
    outDir: "../src/ultimo/server/static",
    emptyOutDir: false,
    target: "es2022",
    lib: { entry: "src/pocket/sw.ts", formats: ["iife"], name: "sw", fileName: () => "sw.js" },
  },
});
