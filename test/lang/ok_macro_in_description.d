/* target: 1 */
pid$target:a:b:entry { trace(1); }
