enum a { A };
enum b { A };
