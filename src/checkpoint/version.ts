/** Of the library, as snapshots tell it. A test compares it with package.json. */
export const LIBRARY_VERSION = '0.1.0';
