enum a { A, B, A };
